/** A keyboard key. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-[4px] border border-line bg-surface px-1 font-sans text-badge text-fg-2">
      {children}
    </kbd>
  );
}
