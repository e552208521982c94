import type { QueryClient } from '@tanstack/react-query';
import { createSender, type Sender } from '../messaging/messages/sender.ts';

/** A connected sender for tests, whose messages are never confirmed. */
export const buildSender = (client: QueryClient): Sender =>
  createSender({
    client,
    socket: {
      emit: () => true,
      getConnection: () => ({ status: 'connected', error: null }),
      subscribe: () => () => undefined,
    },
  });
