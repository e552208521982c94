// `node bench/floor/read-server.mjs <database url>`: a minimal server for a page of rows: one prepared statement, returned as
// JSON. It shows how fast such a call can be on this machine. Prints its port once it listens.
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 4 });
const STATEMENTS = {
  '/conversations': {
    name: 'conversations',
    text: `select c.*, f.first_name, f.last_name, f.username, f.email
      from (select * from conversations order by (unread_count > 0) desc, last_message_at desc, id desc limit 20) c
      join fans f on f.id = c.fan_id`,
  },
  '/conversation': {
    name: 'conversation',
    text: `select c.*, f.first_name, f.last_name, f.username, f.email
      from conversations c join fans f on f.id = c.fan_id where c.id = $1`,
  },
  '/messages': {
    name: 'messages',
    text: 'select * from messages where conversation_id = $1 order by seq desc limit 50',
  },
};

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const statement = STATEMENTS[url.pathname];
  pool.query({ ...statement, values: [...url.searchParams.values()] }).then(
    ({ rows }) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: rows }));
    },
    (error) => response.destroy(error),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
