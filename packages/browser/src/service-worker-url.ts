/** The Trusted Types API, which TypeScript's DOM types don't have yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    /** Returns a TrustedScriptURL object, which is accepted wherever a URL is. */
    createScriptURL(url: string): string;
  };
}

/** Returns a service worker's URL, as a TrustedScriptURL if the browser supports it. Call this only once per page. */
export function serviceWorkerUrl(path: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('service-worker', {
    createScriptURL: (url) => {
      if (url !== path) throw new TypeError('not the service worker');
      return url;
    },
  });
  return policy?.createScriptURL(path) ?? path;
}
