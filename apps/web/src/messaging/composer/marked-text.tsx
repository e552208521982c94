import { Fragment, type RefObject, useLayoutEffect, useRef } from 'react';
import type { MarkedPart } from './use-objections.tsx';

interface MarkedTextProps {
  text: string;
  /** In text order. */
  marks: readonly MarkedPart[];
  /** The field that the marks are drawn behind. */
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Draws marks behind a text field, which can't contain marks itself. Repeats its text invisibly, so that the marks line up. */
export function MarkedText({ text, marks, field }: MarkedTextProps) {
  const behind = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    const follow = () => behind.current?.scrollTo({ top: element?.scrollTop ?? 0 });
    follow();
    element?.addEventListener('scroll', follow);
    return () => element?.removeEventListener('scroll', follow);
  });
  return (
    <div
      ref={behind}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 overflow-hidden py-[5px] text-message wrap-break-word whitespace-pre-wrap text-transparent select-none coarse:py-[11px]"
    >
      {marks.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(marks[index - 1]?.end ?? 0, start)}
          <mark className="rounded-[3px] bg-flagged text-transparent underline decoration-danger decoration-wavy">
            {text.slice(start, end)}
          </mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </div>
  );
}
