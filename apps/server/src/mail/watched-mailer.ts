import type { Mailer } from './mailer.ts';

/** A mailer of which somebody hears each time that it fails. */
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
