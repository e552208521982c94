import { NotebookPen } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { NotesPanel } from '../features/notes/notes-panel.tsx';
import { isDocked, storedWidth, storeWidth } from '../features/notes/panel-width.ts';
import { useCommands } from '../lib/commands.ts';
import { leave } from '../lib/leave-guard.ts';
import { useIsSplit } from '../lib/media-query.ts';
import { Button } from '../ui/button.tsx';

/** The notes beside a conversation: the button that opens them, and the panel. `isAlone`: nothing else can be used. */
export function useNotes(options: {
  conversationId: string;
  fanName: string;
  /** What the thread and the notes share. */
  container: RefObject<HTMLElement | null>;
}): { button: ReactNode; panel: ReactNode; isAlone: boolean } {
  const { conversationId, fanName, container } = options;
  const isSplit = useIsSplit();
  const opener = useRef<HTMLButtonElement>(null);
  const [openedFor, setOpenedFor] = useState<string | null>(null);
  const [width, setWidth] = useState(storedWidth);
  const available = useWidth(container);
  const canDock = isSplit && isDocked(available, width);
  // Beside the thread they stay open for the next fan; over it they would hide whom one chose.
  const isOpen = openedFor !== null && (openedFor === conversationId || canDock);

  const close = () => {
    setOpenedFor(null);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const toggle = () => {
    if (isOpen) leave(close);
    else setOpenedFor(conversationId);
  };
  useCommands([
    {
      id: 'notes',
      title: isOpen ? 'Close notes' : 'Open notes',
      section: 'Conversation',
      keys: ['n'],
      run: toggle,
    },
  ]);
  const resize = (next: number) => {
    setWidth(next);
    storeWidth(next);
  };
  const button = (
    <Button
      ref={opener}
      variant="ghost"
      aria-expanded={isOpen}
      aria-keyshortcuts="N"
      onClick={toggle}
      className="px-2! aria-expanded:bg-hover aria-expanded:text-fg"
      icon={<NotebookPen aria-hidden="true" size={16} strokeWidth={1.75} />}
    >
      Notes
    </Button>
  );
  const panel = isOpen && (
    <NotesPanel
      key={conversationId}
      conversationId={conversationId}
      fanName={fanName}
      place={isSplit ? (canDock ? 'docked' : 'over') : 'full'}
      width={width}
      onResize={resize}
      takesFocus={openedFor === conversationId}
      onClose={close}
    />
  );
  return { button, panel, isAlone: isOpen && !isSplit };
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
