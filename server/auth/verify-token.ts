import { errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'

/** Verifies a token with the first of the keys that signed it. Throws the errors of `jwtVerify`. */
export async function verifyToken(
  token: string,
  [key, ...others]: readonly [Uint8Array, ...Uint8Array[]],
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, key, options)
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    return verifyToken(token, [next, ...rest], options)
  }
}
