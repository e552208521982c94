import { rich } from '@stagedoor/browser/rich-text';
import { useChord, useRegisteredCommands } from '../../lib/commands.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { keyNames } from './key-names.ts';

/** Lists the possible second keys while a two-key shortcut waits for one. */
export function ChordHint() {
  const chord = useChord();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-[max(96px,env(safe-area-inset-bottom))] z-50 flex justify-center px-4"
    >
      {chord !== null && <NextKeys chord={chord} />}
    </div>
  );
}

function NextKeys({ chord }: { chord: string }) {
  const begin = `${chord} `;
  const nexts = useRegisteredCommands().flatMap(({ id, title, keys = [] }) =>
    keys.filter((key) => key.startsWith(begin)).map((key) => ({ id, title, key })),
  );
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface px-3.5 py-2.5 text-control text-fg-2 shadow-overlay">
      <span className="inline-flex items-center gap-1.5">
        {rich('{key} then', { key: <Kbd>{chord.toUpperCase()}</Kbd> })}
      </span>
      {nexts.map(({ id, title, key }) => (
        <span key={id} className="inline-flex items-center gap-1.5">
          <Kbd>{keyNames(key).at(-1)?.join(' ') ?? ''}</Kbd> {title}
        </span>
      ))}
    </p>
  );
}
