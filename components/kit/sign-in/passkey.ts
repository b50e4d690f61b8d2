export type PasskeyAnswer = 'done' | 'cancelled' | 'old' | 'refused'

/** Has the browser create a passkey with this name. `old`: the session isn't fresh, and the person has to sign in again first. */
export function addPasskey(name: string): Promise<PasskeyAnswer> {
  return knock('register', async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    )
    return { name, response: toJson(await navigator.credentials.create({ publicKey })) }
  })
}

/** Signs in with a passkey of this device. */
export function signInByPasskey(): Promise<PasskeyAnswer> {
  return knock('authenticate', async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    return { response: toJson(await navigator.credentials.get({ publicKey })) }
  })
}

const WAYS = {
  register: { ask: 'generate-register-options', verify: 'verify-registration' },
  authenticate: { ask: 'generate-authenticate-options', verify: 'verify-authentication' },
}

/** Fetches the options from the server, asks the browser for the passkey, and sends the result to the server. */
async function knock(way: keyof typeof WAYS, prove: (options: unknown) => Promise<object>): Promise<PasskeyAnswer> {
  const options = await fetch(`/api/auth/passkey/${WAYS[way].ask}`).catch(() => undefined)
  if (!options?.ok) return 'refused'
  let proof: object
  try {
    proof = await prove(await options.json())
  } catch {
    return 'cancelled'
  }
  const answer = await fetch(`/api/auth/passkey/${WAYS[way].verify}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(proof),
  }).catch(() => undefined)
  if (answer?.ok) return 'done'
  return answer?.status === 403 ? 'old' : 'refused'
}

function toJson(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('the browser gave no passkey')
  return credential.toJSON()
}
