import type { ReactNode } from 'react'
import { readMe } from '#components/kit/frame/require-me.ts'
import { SettingsFrame } from '#components/settings/settings-frame.tsx'

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  // The page knows its own URL and redirects to sign-in.
  return (await readMe()) ? <SettingsFrame>{children}</SettingsFrame> : children
}
