interface NumberFieldProps {
  id: string
  name: string
  label: string
  max: number
  usual: number
}

/** A whole number with its unit after it. */
export function NumberField({ id, name, label, max, usual }: NumberFieldProps) {
  return (
    <span className="flex items-center gap-2">
      <input
        id={id}
        name={name}
        type="number"
        inputMode="numeric"
        min={1}
        max={max}
        required
        defaultValue={usual}
        className="h-control w-20 rounded-2 border border-line-control bg-raised px-2 text-ink"
      />
      <label htmlFor={id}>{label}</label>
    </span>
  )
}
