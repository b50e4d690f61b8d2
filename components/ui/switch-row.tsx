'use client'
import { Toggle } from './toggle.tsx'

interface SwitchRowProps {
  label: string
  about: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** A switch with a sentence that explains it. */
export function SwitchRow({ label, about, isOn, onChange }: SwitchRowProps) {
  return (
    <Toggle isOn={isOn} onChange={onChange} className="mt-3 flex items-start gap-3.5">
      <span>
        <span className="block font-firm text-ink">{label}</span>
        <span className="block">{about}</span>
      </span>
    </Toggle>
  )
}
