import type { InputHTMLAttributes } from 'react'

interface CheckBoxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> {
  /** Among many, as close as they may be. */
  isDense?: boolean
}

/** A checkbox with its label. */
export function CheckBox({ isDense = false, children, ...input }: CheckBoxProps) {
  return (
    <label className={`flex min-w-0 items-center gap-2 text-ink coarse:min-h-10 ${isDense ? 'min-h-6' : 'min-h-7'}`}>
      <input {...input} type="checkbox" className="size-4 shrink-0 accent-accent" />
      {children}
    </label>
  )
}

interface CheckBoxesProps<Id extends string> {
  legend: string
  choices: readonly { id: Id; label: string; isDisabled?: boolean; describedBy?: string | undefined }[]
  chosen: readonly Id[]
  onChange: (chosen: Id[]) => void
}

/** Checkboxes of which one is always ticked. */
export function CheckBoxes<Id extends string>({ legend, choices, chosen, onChange }: CheckBoxesProps<Id>) {
  const isChosen = (id: Id) => chosen.includes(id)
  return (
    <fieldset>
      <legend className="mb-1 font-firm text-ink">{legend}</legend>
      <div className="flex flex-wrap gap-x-5">
        {choices.map(({ id, label, isDisabled = false, describedBy }) => (
          <CheckBox
            key={id}
            checked={isChosen(id)}
            disabled={isDisabled || (chosen.length === 1 && isChosen(id))}
            aria-describedby={describedBy}
            onChange={() => onChange(choices.map((one) => one.id).filter((one) => isChosen(one) !== (one === id)))}
          >
            {label}
          </CheckBox>
        ))}
      </div>
    </fieldset>
  )
}
