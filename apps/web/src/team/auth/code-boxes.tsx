import { OTP_LENGTH } from '@stagedoor/contract/team/auth';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { isComposing } from '../../lib/keyboard.ts';
import { t } from '../../lib/text/i18n.ts';
import { backspace, type CodeEntry, fill, pastedDigits, typeInto } from './code-entry.ts';

interface CodeBoxesProps {
  entry: CodeEntry;
  onChange: (entry: CodeEntry) => void;
  labelledBy: string;
  describedBy: string;
}

/** Six boxes for one digit each that act as one field for typing, pasting and deleting. */
export function CodeBoxes({ entry, onChange, labelledBy, describedBy }: CodeBoxesProps) {
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  // Runs for every new entry, even an equal one: a refused code moves the focus back to the first box.
  useEffect(() => {
    const input = inputs.current[entry.focus];
    input?.focus();
    input?.select();
  }, [entry]);

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (isComposing(event.nativeEvent)) return;
    const { boxes } = entry;
    // Typing the same digit again fires no input event, but should still move on.
    if (event.key === boxes[index] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      onChange(fill(boxes, index, event.key));
      return;
    }
    const move = (focus: number) => {
      event.preventDefault();
      onChange({ boxes, focus: Math.max(0, Math.min(focus, OTP_LENGTH - 1)) });
    };
    if (event.key === 'ArrowLeft') move(index - 1);
    else if (event.key === 'ArrowRight') move(index + 1);
    else if (event.key === 'Backspace' && boxes[index] === '') move(backspace(boxes, index).focus);
  };
  const onPaste = (event: ClipboardEvent, index: number) => {
    event.preventDefault();
    onChange(fill(entry.boxes, index, pastedDigits(event.clipboardData.getData('text'))));
  };
  return (
    <fieldset
      dir="ltr"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="flex justify-between gap-1.5"
    >
      {entry.boxes.map((digit, index) => (
        <input
          // biome-ignore lint/suspicious/noArrayIndexKey: a box is identified by its position only
          key={index}
          ref={(input) => {
            inputs.current[index] = input;
          }}
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          aria-label={t('Digit {place} of {length}', { place: index + 1, length: OTP_LENGTH })}
          value={digit}
          onChange={(event) => onChange(typeInto(entry.boxes, index, event.target.value))}
          onKeyDown={(event) => onKeyDown(event, index)}
          onPaste={(event) => onPaste(event, index)}
          onFocus={(event) => event.currentTarget.select()}
          className="h-13 w-11 min-w-0 rounded-control border border-control bg-surface text-center text-[22px]! font-semibold tabular-nums md:h-14 md:w-12"
        />
      ))}
    </fieldset>
  );
}
