'use client'
import { Switch } from 'react-aria-components/Switch'

interface SwitchRowProps {
  label: string
  about: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** On or off, with what it does in a sentence. */
export function SwitchRow({ label, about, isOn, onChange }: SwitchRowProps) {
  return (
    <Switch isSelected={isOn} onChange={onChange} className="group mt-3 flex items-start gap-3.5">
      <span className="mt-0.5 flex h-5 w-[34px] shrink-0 items-center rounded-full border border-line-control bg-raised px-0.5 group-selected:border-accent group-selected:bg-accent group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-focus forced-colors:group-selected:bg-[Highlight]">
        <span className="size-3.5 rounded-full bg-line-control group-selected:ms-auto group-selected:bg-on-accent forced-colors:bg-[ButtonText] forced-colors:group-selected:bg-[HighlightText]" />
      </span>
      <span>
        <span className="block font-firm text-ink">{label}</span>
        <span className="block">{about}</span>
      </span>
    </Switch>
  )
}
