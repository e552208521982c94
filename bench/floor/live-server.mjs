// `node live-server.mjs raw|fan-out|floor|grouped [database url]`: a minimal server that broadcasts each client's message to
// all clients. Prints its port once it listens.
// - raw: a WebSocket server that sends every text to all clients
// - fan-out: bare Socket.IO that emits every message to a room and stores nothing
// - floor: fan-out, after one statement has stored the message and updated its conversation
// - grouped: fan-out, after one statement has stored all messages that arrived during the previous statement
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { Server } from 'socket.io';
import { WebSocketServer } from 'ws';

const [mode, url] = process.argv.slice(2);
const pool = url === undefined ? null : new pg.Pool({ connectionString: url, max: 16 });
const KEEP = { 'fan-out': keepNothing, floor: keepEach, grouped: keepGroups() };

const http = createServer();
if (mode === 'raw') serveRaw();
else serveSocketIo(KEEP[mode]);
http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`));

function serveRaw() {
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      for (const client of server.clients) client.send(data, { binary: false });
    });
  });
}

/** Serves Socket.IO. @param keep stores a message; resolves with its `seq` and creation time once committed */
function serveSocketIo(keep) {
  const io = new Server(http, { serveClient: false });
  io.on('connection', (socket) => {
    void socket.join('staff');
    socket.on('send_message', async ({ tempId, conversation_id, content }) => {
      const draft = { id: randomUUID(), conversation_id, content };
      const message = { ...draft, ...(await keep(draft)) };
      io.to('staff').emit('new_message', { message, tempId });
      socket.emit('message_sent', { message, tempId });
    });
  });
}

async function keepNothing() {
  return { seq: 1, created_at: new Date() };
}

async function keepEach({ id, conversation_id, content }) {
  const { rows } = await pool.query({
    name: 'keep',
    text: `with conversation as (
        update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where id = $1
        returning last_seq, last_message_at
      )
      insert into messages (id, conversation_id, seq, content, created_at)
      select $2, $1, last_seq, $3, last_message_at from conversation returning seq, created_at`,
    values: [conversation_id, id, content],
  });
  return rows[0];
}

/** Runs one statement at a time. Messages that arrive while a statement runs form the next group. */
function keepGroups() {
  let waiting = [];
  let running = false;

  async function run() {
    running = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        const stored = await keepGroup(group.map(({ draft }) => draft));
        for (const { draft, resolve } of group) resolve(stored.get(draft.id));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  }

  return (draft) =>
    new Promise((resolve, reject) => {
      waiting.push({ draft, resolve, reject });
      if (!running) void run();
    });
}

async function keepGroup(drafts) {
  const { rows } = await pool.query({
    name: 'keep_group',
    text: `with draft as (
        select *, row_number() over (partition by conversation_id order by place) as nth
        from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality d (conversation_id, id, content, place)
      ), conversation as (
        update conversations c set last_seq = last_seq + n, last_message_at = clock_timestamp()
        from (select conversation_id, count(*) as n from draft group by 1) counted where c.id = counted.conversation_id
        returning c.id, last_seq - n as before, last_message_at
      )
      insert into messages (id, conversation_id, seq, content, created_at)
      select d.id, c.id, before + nth, content, last_message_at from draft d join conversation c on c.id = d.conversation_id
      returning id, seq, created_at`,
    values: [
      drafts.map(({ conversation_id }) => conversation_id),
      drafts.map(({ id }) => id),
      drafts.map(({ content }) => content),
    ],
  });
  return new Map(rows.map(({ id, ...stored }) => [id, stored]));
}
