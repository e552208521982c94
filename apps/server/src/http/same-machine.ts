import type { FastifyRequest } from 'fastify';

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
/** Headers that only proxies add. */
const PROXY_HEADER =
  /^(forwarded|via|(true|x)-client-ip|x-real-ip|x-(forwarded|envoy|original)-.+|cf-.+)$/;

/** Checks whether a URL points to this machine. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK_HOST.test(new URL(url).host);

/**
 * Checks whether a request comes from a program on this machine: from a loopback address, to a loopback name (another name could
 * be a page that uses DNS rebinding), and not through a proxy. A proxy that adds no headers can't be detected.
 */
export function isSameMachine({ raw }: FastifyRequest): boolean {
  const { headers, httpVersion, socket } = raw;
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    // nginx proxies with HTTP/1.0 by default, and sends `Connection: upgrade` when it passes WebSockets on.
    httpVersion !== '1.0' &&
    !/upgrade/i.test(headers.connection ?? '') &&
    !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  );
}

/** Replaces a loopback address in the server's URL with `localhost`, because passkeys don't work at IP addresses. */
export const atLocalhost = (url: string) => url.replace('//127.0.0.1:', '//localhost:');
