import type { QueryClient } from '@tanstack/react-query';
import { createSender, type Sender } from '../messaging/messages/sender.ts';

/** Builds a connected sender whose messages are never confirmed. */
export const buildSender = (client: QueryClient): Sender =>
  createSender({
    client,
    socket: {
      emit: () => true,
      getConnection: () => ({ status: 'connected', error: null }),
      subscribe: () => () => undefined,
    },
  });
