// A client with almost no overhead: Socket.IO's protocol on a bare WebSocket. It looks only at the first bytes of each frame.
// Plain JavaScript, so that worker processes can load it directly.
import { WebSocket } from 'ws';

const OPEN = 0x30; // '0'
const PING = 0x32; // '2'
const MESSAGE = 0x34; // '4'
const CONNECTED = 0x30; // '40'
const EVENT = 0x32; // '42'

/**
 * @typedef {object} LiveSocket
 * @property {(text: string) => void} send sends an event encoded as Socket.IO does; a bare server gets the text unchanged
 * @property {() => void} close
 */

/**
 * Connects to the staff namespace.
 * @param {{ address: string, token: string, bare: boolean }} where `address` is the HTTP address; `bare` means a server without
 * Socket.IO
 * @param {(frame: Buffer) => void} onEvent
 * @param {() => void} onClose
 * @returns {Promise<LiveSocket>} resolves once events can arrive
 */
export function connectLive({ address, token, bare }, onEvent, onClose) {
  const url = address.replace('http', 'ws');
  const socket = new WebSocket(bare ? url : `${url}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const live = { send: (text) => socket.send(text), close: () => socket.close() };
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', onClose);
    if (bare) {
      socket.on('message', onEvent);
      socket.on('open', () => resolve(live));
      return;
    }
    socket.on('message', (frame) => {
      const [kind, type] = frame;
      if (kind === MESSAGE && type === EVENT) onEvent(frame);
      else if (kind === PING) socket.send('3');
      else if (kind === OPEN) socket.send(`40${JSON.stringify({ token })}`);
      else if (kind === MESSAGE && type === CONNECTED) resolve(live);
      else reject(new Error(`refused: ${frame.latin1Slice()}`));
    });
  });
}
