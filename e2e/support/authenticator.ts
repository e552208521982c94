import type { CDPSession, Page } from '@playwright/test';

/** The authenticator of a browser: Chromium's own in software, which a person's finger always satisfies. */
export interface VirtualAuthenticator {
  /** Whether the person goes along; else the browser is told that nobody is there. */
  answer(goesAlong: boolean): Promise<void>;
  /** How many passkeys are on it. */
  count(): Promise<number>;
}

/** Gives a page's browser an authenticator with nothing on it. */
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
    async answer(goesAlong) {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: goesAlong });
    },
    async count() {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
  };
}
