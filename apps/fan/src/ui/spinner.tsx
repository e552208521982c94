/** A spinner. The text next to it must say what is in progress. */
export function Spinner({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`spinner ${className}`} />;
}
