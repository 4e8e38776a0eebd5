import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { loadConfig } from '../../../src/config.ts'
import { iceServerLinks } from '../../../src/http/protocol/ice-servers.ts'

const turn = { FOOTLIGHT_ICE_SERVERS: 'turn:turn.example:3478?transport=udp', FOOTLIGHT_TURN_SECRET: 'north' }
const faults = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    return (error as { faults: readonly string[] }).faults
  }
}

describe('ICE servers', () => {
  test('are none unless they are named', () => {
    expect(loadConfig({}).iceServers).toEqual({ urls: [], turnSecret: null, turnLifetime: 86_400 })
    expect(iceServerLinks(loadConfig({}).iceServers, 'x', 0)).toEqual([])
  })

  test('are told with coturn’s ephemeral credentials, each in a field', () => {
    const { iceServers } = loadConfig({
      FOOTLIGHT_ICE_SERVERS: 'stun:stun.example, turns:[2001:db8::1]:5349?transport=tcp turn:turn.example',
      FOOTLIGHT_TURN_SECRET: 'north',
      FOOTLIGHT_TURN_LIFETIME: '600',
    })
    const username = '1700000600:ags_1'
    const credential = createHmac('sha1', 'north').update(username).digest('base64')
    const withCredentials = `rel="ice-server"; username="${username}"; credential="${credential}"; credential-type="password"`
    expect(iceServerLinks(iceServers, 'ags_1', 1_700_000_000_999)).toEqual([
      '<stun:stun.example>; rel="ice-server"',
      `<turns:[2001:db8::1]:5349?transport=tcp>; ${withCredentials}`,
      `<turn:turn.example>; ${withCredentials}`,
    ])
  })

  test('that are wrong are told, and the secret never', () => {
    expect(faults(turn)).toEqual([])
    for (const urls of [
      'turn.example',
      'https://turn.example',
      'stun:stun.example?transport=udp',
      'turn:',
      'turn:a b',
    ]) {
      const found = faults({ ...turn, FOOTLIGHT_ICE_SERVERS: urls })
      expect(found.length).toBeGreaterThan(0)
      expect(found[0]).toStartWith('FOOTLIGHT_ICE_SERVERS must list')
      expect(found.join()).not.toContain('north')
    }
    expect(faults({ FOOTLIGHT_ICE_SERVERS: 'turn:turn.example' })[0]).toContain('FOOTLIGHT_TURN_SECRET')
    expect(faults({ FOOTLIGHT_TURN_SECRET: 'north' })[0]).toContain('names no TURN server')
    expect(faults({ ...turn, FOOTLIGHT_TURN_LIFETIME: '1' })[0]).toStartWith('FOOTLIGHT_TURN_LIFETIME')
  })
})
