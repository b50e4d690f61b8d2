import { notFound, redirect } from 'next/navigation'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { SETTINGS_PARTS } from '#components/settings/settings-parts.ts'

export default async function FirstSettingsPage() {
  const me = await requireMe('/settings')
  const first = SETTINGS_PARTS.find(({ part }) => me.settings.includes(part))
  return first ? redirect(first.href) : notFound()
}
