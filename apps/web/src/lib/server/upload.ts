import type { Endpoint, EndpointReply } from '@stagedoor/contract/endpoint';
import { ApiError, failureFrom } from './api.ts';
import { endSession, getToken } from './session.ts';

interface UploadOptions {
  signal?: AbortSignal;
  /** Called with the uploaded share, 0 to 1. */
  onProgress?: (progress: number) => void;
}

/**
 * Sends a form with files to an endpoint of the contract and returns the response body, as `call` does. Uses XMLHttpRequest
 * because only that reports progress. Has no timeout: it ends with a response, a lost connection or the signal.
 */
export function upload<E extends Endpoint>(
  endpoint: E,
  form: FormData,
  { signal, onProgress }: UploadOptions = {},
): Promise<EndpointReply<E>> {
  return new Promise((resolve, reject) => {
    const token = endpoint.auth === 'admin' ? getToken() : null;
    const request = new XMLHttpRequest();
    request.open(endpoint.method, endpoint.path);
    request.setRequestHeader('accept', 'application/json');
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress?.(loaded / total);
    };
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300 && body !== null)
        return resolve(body as EndpointReply<E>);
      if (request.status === 401 && token !== null && token === getToken()) endSession();
      reject(failureFrom(request.status, body));
    };
    request.onerror = () => reject(new ApiError({ status: 0 }));
    request.onabort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', () => request.abort());
    if (signal?.aborted) return reject(signal.reason as Error);
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
