import { redirect } from 'next/navigation'
import { homePathOf } from '#components/kit/frame/home-path.ts'
import { requireMe } from '#components/kit/frame/require-me.ts'

export default async function Home() {
  redirect(homePathOf(await requireMe('/')))
}
