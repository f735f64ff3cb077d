import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PawlError } from '../../model/pawl-error.ts';

export interface Address {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** @throws {PawlError} with the hint where the address or the port is not to be had */
export function listen(server: Server, host: string, port: number, hint: string): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new PawlError('unavailable', `Cannot listen on ${host}:${port}: ${error.message}`, hint));
    });
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host;
      resolve({ url: `http://${shown}:${taken}`, host, port: taken });
    });
  });
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Requests under way are answered; connections that are kept open for more are closed. */
export function closed(server: Server, grace_ms: number): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), grace_ms).unref();
  });
}
