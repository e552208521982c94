import type { Mailer } from './mailer.ts';

/** Wraps a mailer and calls `failed` each time that sending fails. */
export const watchedMailer = (mailer: Mailer, failed: () => void): Mailer => ({
  async send(mail) {
    try {
      await mailer.send(mail);
    } catch (error) {
      failed();
      throw error;
    }
  },
  close: () => mailer.close(),
});
