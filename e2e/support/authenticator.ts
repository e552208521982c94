import type { CDPSession, Page } from '@playwright/test';

/** Chromium's virtual authenticator. User verification succeeds by default. */
export interface VirtualAuthenticator {
  /** Sets whether user verification succeeds; `false` simulates a user who refuses. */
  answer(isVerified: boolean): Promise<void>;
  /** Returns the number of passkeys on it. */
  count(): Promise<number>;
}

/** Adds an empty authenticator to a page's browser. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async answer(isVerified) {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isVerified });
    },
    async count() {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
  };
}
