interface CheckboxProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

export function Checkbox({ label, isOn, onChange }: CheckboxProps) {
  return (
    <label className="flex items-center gap-2 text-control coarse:min-h-11">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}
