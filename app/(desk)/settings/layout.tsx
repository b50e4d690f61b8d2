import type { ReactNode } from 'react'
import { SettingsFrame } from '#components/settings/settings-frame.tsx'
import { readMe } from '#components/kit/frame/require-me.ts'

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  // The page knows its own address and redirects to sign-in.
  return (await readMe()) ? <SettingsFrame>{children}</SettingsFrame> : children
}
