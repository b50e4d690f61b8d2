import { CATALOGUE_FILES } from '#components/i18n/catalogue-files.ts'
import { isLanguage } from '#components/i18n/locale.ts'

/** The messages of a language: in development, and for a page of an earlier version whose file is gone. */
export async function GET(_request: Request, { params }: RouteContext<'/catalogue/[language]'>): Promise<Response> {
  const { language } = await params
  if (!isLanguage(language)) return new Response(null, { status: 404 })
  return new Response(CATALOGUE_FILES[language].text, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}
