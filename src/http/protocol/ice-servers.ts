import { createHmac } from 'node:crypto'
import { type IceServerSettings, isTurn } from './ice-server-settings.ts'

/**
 * The `Link` fields that tell a client of STUN and TURN servers (RFC 9725 section 4.6). TURN
 * credentials are coturn's ephemeral ones: the user name is when they expire (seconds since the
 * epoch) and whom they are for, the password is the Base64 of its HMAC-SHA1 under the shared
 * secret. The TURN server needs to be told of nobody.
 * @param name whom they are for; the TURN server sees and logs it
 * @param now in ms
 */
export function iceServerLinks({ urls, turnSecret, turnLifetime }: IceServerSettings, name: string, now: number) {
  return urls.map((url) => {
    const link = `<${url}>; rel="ice-server"`
    if (!isTurn(url) || turnSecret === null) return link
    const username = `${Math.floor(now / 1000) + turnLifetime}:${name}`
    const credential = createHmac('sha1', turnSecret).update(username).digest('base64')
    return `${link}; username="${username}"; credential="${credential}"; credential-type="password"`
  })
}
