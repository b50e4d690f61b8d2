import { CATALOGUE_FILES } from '#components/i18n/catalogue-files.ts'
import { isLanguage } from '#components/i18n/locale.ts'

/** The messages of a language, named by content. A page of another version gets this version's, which it may not keep. */
export async function GET(_request: Request, { params }: RouteContext<'/catalogue/[name]'>): Promise<Response> {
  const { name } = await params
  const language = name.split('.', 1)[0]
  if (!isLanguage(language)) return new Response(null, { status: 404 })
  const { path, text } = CATALOGUE_FILES[language]
  return new Response(text, {
    headers: {
      'content-type': 'application/json',
      'cache-control': path.endsWith(`/${name}`) ? 'public, max-age=31536000, immutable' : 'no-store',
    },
  })
}
