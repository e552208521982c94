import { CircleAlert } from 'lucide-react';

export function Notice({ text }: { text: string }) {
  return (
    <p
      role="alert"
      className="flex w-full items-start gap-2 rounded-control bg-danger-bg px-3 py-2.5 text-start text-control text-danger"
    >
      <CircleAlert size={18} className="mt-px shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  );
}
