import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWebLink, shortenLink } from './meeting-links.ts'

const SEARCH = 'https://www.google.com/maps/search/?api=1&query='

describe('a map link', () => {
  test.each([
    [
      'Google, a place with its pin',
      'https://www.google.com/maps/place/Brandenburger+Tor/@52.5162746,13.3751438,17z/data=!3m1!4b1!4m6!3m5!1s0x47a851c655f20989:0x26bbfb4e84674c63!8m2!3d52.5162746!4d13.3777187!16zL20vMDE1bHQ?entry=ttu&g_ep=EgoyMDI',
      `${SEARCH}52.516275,13.377719`,
    ],
    [
      'Google, a place without its pin',
      'https://www.google.com/maps/place/Eiffel+Tower/@48.8583701,2.2922926,17z',
      'https://www.google.com/maps/search/Eiffel+Tower/@48.85837,2.292293,17z',
    ],
    ['Google, a view', 'https://www.google.de/maps/@52.52,13.405,14z?entry=ttu', `${SEARCH}52.52,13.405`],
    ['Google, coordinates as q', 'https://maps.google.com/?q=52.52,13.405', `${SEARCH}52.52,13.405`],
    [
      'Google, a place by name',
      'https://www.google.co.uk/maps/place/10+Downing+St,+London',
      `${SEARCH}10+Downing+St%2C+London`,
    ],
    [
      'Google, a search',
      'https://www.google.com/maps/search/?api=1&query=Caf%C3%A9+Einstein&query_place_id=ChIJ',
      `${SEARCH}Caf%C3%A9+Einstein`,
    ],
    [
      'Google, a route: its end',
      'https://www.google.com/maps/dir/Berlin/Potsdam+Hbf/@52.4,13.1,11z/data=!4m14',
      `${SEARCH}Potsdam+Hbf`,
    ],
    [
      'Google, a southern place',
      'https://maps.google.com/maps?ll=-33.8568,151.2153&z=16',
      `${SEARCH}-33.8568,151.2153`,
    ],
    [
      'Google, a place whose name is blank',
      'https://www.google.com/maps/place/+',
      'https://www.google.com/maps/place',
    ],
    [
      'Google, a place with a blank behind its name',
      'https://maps.google.com/place/Berlin/%20',
      `${SEARCH}Berlin`,
    ],
    ['Google, short', 'https://maps.app.goo.gl/AbC123xYz?g_st=ic', 'https://maps.app.goo.gl/AbC123xYz'],
    ['Google, the old short one', 'https://goo.gl/maps/AbC123', 'https://goo.gl/maps/AbC123'],
    [
      'Apple, coordinates',
      'https://maps.apple.com/?ll=52.5163,13.3777&q=Gate&t=m',
      'https://maps.apple.com/?q=52.5163,13.3777',
    ],
    [
      'Apple, a place',
      'https://maps.apple.com/place?address=1+Infinite+Loop&coordinate=37.33,-122.03&name=Apple',
      'https://maps.apple.com/?q=37.33,-122.03',
    ],
    [
      'Apple, an address',
      'https://maps.apple.com/?address=1%20Infinite%20Loop',
      'https://maps.apple.com/?q=1+Infinite+Loop',
    ],
    [
      'OpenStreetMap, a marker',
      'https://www.openstreetmap.org/?mlat=52.51627&mlon=13.37771#map=17/52.5/13.3',
      'https://www.openstreetmap.org/?mlat=52.51627&mlon=13.37771',
    ],
    [
      'OpenStreetMap, a view',
      'https://www.openstreetmap.org/#map=17/52.51627/13.37771',
      'https://www.openstreetmap.org/?mlat=52.51627&mlon=13.37771',
    ],
    [
      'OpenStreetMap, a house',
      'https://www.openstreetmap.org/way/518071791#map=19/52.5/13.3',
      'https://www.openstreetmap.org/way/518071791',
    ],
    [
      'OpenStreetMap, a search',
      'https://www.openstreetmap.org/search?query=Unter%20den%20Linden#map=1/2/3',
      'https://www.openstreetmap.org/search?query=Unter+den+Linden',
    ],
    [
      'Bing',
      'https://www.bing.com/maps?cp=52.5163~13.3777&lvl=16&style=r',
      'https://www.bing.com/maps?q=52.5163,13.3777',
    ],
    [
      'Waze',
      'https://waze.com/ul?ll=52.5163%2C13.3777&navigate=yes&utm_source=waze',
      'https://www.waze.com/ul?ll=52.5163,13.3777',
    ],
  ])('%s', (_name, typed, kept) => {
    expect(shortenLink(typed)).toBe(kept)
  })
})

describe('a video link still opens the meeting', () => {
  test.each([
    [
      'Zoom',
      'https://us02web.zoom.us/j/81234567890?pwd=aBcD.1&utm_source=mail#success',
      'https://us02web.zoom.us/j/81234567890?pwd=aBcD.1',
    ],
    [
      'Zoom in the browser',
      'https://app.zoom.us/wc/join/81234567890?pwd=a',
      'https://app.zoom.us/wc/join/81234567890?pwd=a',
    ],
    [
      'Zoom, a webinar',
      'https://zoom.us/w/81234567890?tk=xyz&uname=Ada',
      'https://zoom.us/w/81234567890?tk=xyz',
    ],
    [
      'Google Meet',
      'https://meet.google.com/abc-defg-hij?authuser=1&hs=122',
      'https://meet.google.com/abc-defg-hij',
    ],
    [
      'Teams',
      'https://teams.microsoft.com/l/meetup-join/19%3ameeting_NzU%40thread.v2/0?context=%7b%22Tid%22%3a%22x%22%7d&anon=true',
      'https://teams.microsoft.com/l/meetup-join/19%3ameeting_NzU%40thread.v2/0?context=%7b%22Tid%22%3a%22x%22%7d',
    ],
    [
      'Teams, short',
      'https://teams.live.com/meet/9312345678?p=Ab12',
      'https://teams.live.com/meet/9312345678?p=Ab12',
    ],
    ['Webex', 'https://acme.webex.com/acme/j.php?MTID=m0f3', 'https://acme.webex.com/acme/j.php?MTID=m0f3'],
    ['Webex, a room', 'https://acme.webex.com/meet/ada', 'https://acme.webex.com/meet/ada'],
    ['Whereby', 'https://whereby.com/ada?roomKey=eyJ', 'https://whereby.com/ada?roomKey=eyJ'],
    [
      'FaceTime',
      'https://facetime.apple.com/join#v=1&p=abc&k=def',
      'https://facetime.apple.com/join#v=1&p=abc&k=def',
    ],
    ['Slack', 'https://app.slack.com/huddle/T0/C0?ref=x', 'https://app.slack.com/huddle/T0/C0'],
    [
      'a Jitsi of the house',
      'https://meet.acme.example/Standup?jwt=e.y.J&utm_medium=x',
      'https://meet.acme.example/Standup?jwt=e.y.J',
    ],
    [
      'Nextcloud Talk',
      'https://cloud.acme.example/index.php/call/u7xk',
      'https://cloud.acme.example/index.php/call/u7xk',
    ],
    [
      'behind a mail filter',
      'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fmeet.google.com%2Fabc-defg-hij&data=05%7C',
      'https://meet.google.com/abc-defg-hij',
    ],
    [
      'behind a search',
      'https://www.google.com/url?q=https://zoom.us/j/1?pwd%3D2&sa=D',
      'https://zoom.us/j/1?pwd=2',
    ],
  ])('%s', (_name, typed, kept) => {
    expect(shortenLink(typed)).toBe(kept)
  })
})

describe('any other link', () => {
  test.each([
    ['https://example.com/a/b/c/d?utm_source=x&id=3#top', 'https://example.com/a/b'],
    ['https://example.com/', 'https://example.com'],
    ['HTTPS://Example.COM/One', 'https://example.com/One'],
    ['http://ada:secret@example.com:8080/room/', 'http://example.com:8080/room'],
    ['https://www.google.com/search?q=maps', 'https://www.google.com/search'],
    // Not Google: nobody's map is guessed by a name that looks like it.
    ['https://maps.google.evil.example/?q=1,2', 'https://maps.google.evil.example'],
  ])('%s becomes %s', (typed, kept) => {
    expect(shortenLink(typed)).toBe(kept)
  })

  test.each([
    'Room 3, second floor',
    '',
    'geo:52.5,13.4',
    'javascript:alert(1)',
    'https://',
    'see https://a.example',
  ])('%j is no link and stays as it is', (typed) => {
    expect(isWebLink(typed)).toBe(false)
    expect(shortenLink(typed)).toBe(typed)
  })
})

const segment = fc.stringMatching(/^[\w%@!,.+-]{1,20}$/)
const link = fc
  .record({
    host: fc.constantFrom(
      'www.google.com',
      'maps.google.com',
      'maps.apple.com',
      'www.openstreetmap.org',
      'www.bing.com',
      'waze.com',
      'zoom.us',
      'teams.microsoft.com',
      'example.org',
    ),
    path: fc.array(
      fc.oneof(segment, fc.constantFrom('maps', 'place', 'search', 'dir', '@1,2,3z', 'url', '+', '%20')),
      {
        maxLength: 5,
      },
    ),
    query: fc.array(
      fc.tuple(
        fc.constantFrom('q', 'll', 'query', 'url', 'utm_source', 'pwd', 'cp', 'mlat'),
        fc.webUrl().map(encodeURIComponent),
      ),
      { maxLength: 3 },
    ),
  })
  .map(({ host, path, query }) => {
    const asked = query.map(([name, value]) => `${name}=${value}`).join('&')
    return `https://${host}/${path.join('/')}${asked === '' ? '' : `?${asked}`}`
  })

describe('every link', () => {
  test('is shortened only once, and stays a link', () => {
    fc.assert(
      fc.property(fc.oneof(link, fc.webUrl({ withQueryParameters: true, withFragments: true })), (typed) => {
        const kept = shortenLink(typed)
        expect(isWebLink(kept)).toBe(true)
        expect(shortenLink(kept)).toBe(kept)
        expect(kept).not.toMatch(/[?&]utm_/)
      }),
      { numRuns: 2000 },
    )
  })

  test('text of any kind does no harm', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        expect(typeof shortenLink(typed)).toBe('string')
      }),
    )
  })
})
