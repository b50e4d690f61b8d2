import { titled } from '#components/preferences/server-messages.ts'
import { NotFound } from '#components/shell/not-found.tsx'

export const generateMetadata = titled((t) => t('failure.notFoundPage'))

export default function NotFoundPage() {
  return <NotFound />
}
