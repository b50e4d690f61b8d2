import type { Credentials } from '../data/bench-people.ts'
import type { Program } from './programs.ts'

/** Signs in at the desk, and returns the session's cookie. */
export async function signIn({ origin }: Program, { email, password }: Credentials): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`Signing in at the desk was answered ${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}
