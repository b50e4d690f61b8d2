import { initialsOf } from './initials.ts'

/** A person's initials; their name is next to it. */
export function Avatar({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  return (
    <span
      aria-hidden
      className={`inline-grid shrink-0 place-items-center rounded-full border border-line-strong bg-sunken leading-none font-bold tracking-[0.02em] text-ink-2 ${isLarge ? 'size-10 text-[14px]' : 'size-6 text-[10px]'}`}
    >
      {initialsOf(name)}
    </span>
  )
}
