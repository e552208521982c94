import type { FastifyRequest } from 'fastify';

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
/** Headers that only proxies add. */
const PROXY_HEADER =
  /^(forwarded|via|(true|x)-client-ip|x-real-ip|x-(forwarded|envoy|original)-.+|cf-.+)$/;

/** Whether a URL leads to this machine itself. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK_HOST.test(new URL(url).host);

/**
 * Whether a program on this machine asks for itself: from a loopback address, by a loopback name (another name may be a page
 * that rebinds its DNS to us), and not through a proxy. A proxy that leaves no trace at all passes for such a program.
 */
export function isSameMachine({ raw }: FastifyRequest): boolean {
  const { headers, httpVersion, socket } = raw;
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    // What nginx sends unless told otherwise, and when it is told to pass WebSockets on.
    httpVersion !== '1.0' &&
    !/upgrade/i.test(headers.connection ?? '') &&
    !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  );
}
