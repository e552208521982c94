// A minimal page with a list like the console's and a message box: React, a virtual list and the Socket.IO client.
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ChangeEvent,
  createElement as h,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { createRoot } from 'react-dom/client';
import { io } from 'socket.io-client';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
}

const ROW_PX = 72;
const MESSAGES_SHOWN = 20;

const socket = io();
const limit = new URLSearchParams(location.search).get('limit') ?? '20';
const loading = fetch(`/rows?limit=${limit}`).then((reply) => reply.json() as Promise<Row[]>);

function List() {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => void loading.then(setRows), []);
  useEffect(() => {
    const onRow = (row: Row) => setRows((held) => [row, ...held.filter(({ id }) => id !== row.id)]);
    socket.on('row', onRow);
    return () => void socket.off('row', onRow);
  }, []);
  // The rule warns about the React Compiler, which does not compile this page.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const drawn = virtualizer.getVirtualItems().map(({ index, start }) => {
    const row = rows[index];
    return (
      row &&
      h(
        'div',
        { key: row.id, className: 'row', 'data-row': row.id, style: { top: start } },
        h('p', null, row.name),
        h('p', null, row.preview),
      )
    );
  });
  return h(
    'div',
    { className: 'list', ref: scroller },
    h('div', { className: 'rows', style: { height: virtualizer.getTotalSize() } }, drawn),
  );
}

function Thread() {
  const [messages, setMessages] = useState<readonly string[]>([]);
  const [text, setText] = useState('');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    socket.emit('message', text);
    setMessages((held) => [...held.slice(1 - MESSAGES_SHOWN), text]);
    setText('');
  };
  return h(
    'div',
    { className: 'thread' },
    h(
      'div',
      { role: 'log' },
      messages.map((message) => h('article', { key: message }, message)),
    ),
    h('textarea', {
      value: text,
      onChange: (event: ChangeEvent<HTMLTextAreaElement>) => setText(event.currentTarget.value),
      onKeyDown,
    }),
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(h('main', null, h(List), h(Thread)));
