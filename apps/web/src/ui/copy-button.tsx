import { Check, Copy } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import { t } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';

interface CopyButtonProps extends Omit<ComponentProps<typeof Button>, 'children' | 'onCopy'> {
  text: string;
  label: string;
  /** Called with whether the copy succeeded. */
  onCopy?: (isCopied: boolean) => void;
}

/** Copies a text to the clipboard and confirms it until the text changes. */
export function CopyButton({ text, label, onCopy, ...rest }: CopyButtonProps) {
  const [done, setDone] = useState<{ text: string; isCopied: boolean } | null>(null);
  const outcome = done?.text === text ? done : null;
  const copy = async () => {
    const isCopied = await copyText(text);
    setDone({ text, isCopied });
    onCopy?.(isCopied);
  };
  const result = outcome && (outcome.isCopied ? t('Copied') : t('Couldn’t copy'));
  return (
    <>
      <Button
        {...rest}
        onClick={() => void copy()}
        icon={outcome?.isCopied ? <Check size={14} /> : <Copy size={14} />}
      >
        {result ?? label}
      </Button>
      <span role="status" className="sr-only">
        {result}
      </span>
    </>
  );
}
