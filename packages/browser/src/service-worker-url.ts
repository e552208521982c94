/** Browsers that know trusted types; the compiler does not yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    /** An object, which is taken wherever a URL is. */
    createScriptURL(url: string): string;
  };
}

/** A service worker's address, vouched for where the page's policy asks for that. To be called once. */
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
