import type { ReactNode } from 'react'
import { SettingsFrame } from '#components/settings/settings-frame.tsx'
import { readMe } from '#components/shell/require-me.ts'

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  // The page, which knows its own address, sends them to the door.
  return (await readMe()) ? <SettingsFrame>{children}</SettingsFrame> : children
}
