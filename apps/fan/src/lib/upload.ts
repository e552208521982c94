import type { Endpoint, EndpointReply } from '@stagedoor/contract/endpoint';
import { ApiError } from './api.ts';
import { getToken, sessionRefused } from './session.ts';

/**
 * Sends files to an endpoint of the contract, reports the progress (0 to 1) and returns the response body. Has no timeout.
 * @throws ApiError if the server refuses or the connection is lost; the signal's reason if it aborts
 */
export function upload<E extends Endpoint>(
  endpoint: E,
  files: readonly File[],
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<EndpointReply<E>> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const token = getToken();
    const form = new FormData();
    for (const file of files) form.append('files', file);
    const request = new XMLHttpRequest();
    request.open(endpoint.method, endpoint.path);
    request.setRequestHeader('accept', 'application/json');
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status === 201 && body !== null) return resolve(body as EndpointReply<E>);
      if (request.status === 401 && token !== null) sessionRefused(token);
      reject(new ApiError(request.status, body));
    };
    request.onerror = () => reject(new ApiError(0));
    request.onabort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
