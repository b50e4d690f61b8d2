import { titled } from '#components/i18n/server.ts'
import { NotFound } from '#components/shell/not-found.tsx'

export const generateMetadata = titled((t) => t('failure.notFoundPage'))

export default function NotFoundPage() {
  return <NotFound />
}
