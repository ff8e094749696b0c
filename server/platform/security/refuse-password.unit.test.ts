import { expect, it } from 'vitest'
import { refusePassword } from './refuse-password.ts'

const OWNER = {
  name: 'Greta Sömmerfeld',
  username: 'greta.s91',
  email: 'office@baeckerei-muster.example',
  companies: ['Muster & Töchter GmbH', ''],
  phone: '+49 (170) 555-1234',
}

it.each([
  'password1',
  'Password1!',
  'PASSWORD12345',
  'midnight',
  'Liverpool!',
  'welcome2024',
  'ｐａｓｓｗｏｒｄ１',
  'qwerty12345',
  'p@ssword99',
  'administrator',
  '12345678',
  '987654321',
  'zzzzzzzz',
  '!!!!!!!!',
  '123Password',
  '!!Password!!',
  'Pass word1!',
  'passwordpassword',
  'Dragondragon1',
  'abcdefgh',
  'qwertzuiop',
  'lkjhgfdsa',
  'Howl2026!',
  '!!howl!!',
])('refuses the common “%s”', async (password) => {
  expect(await refusePassword(password, OWNER)).toBe(
    'This password is one of the most common ones. Please choose another.',
  )
})

it.each([
  ['GretaSömmerfeld', 'name'],
  ['sömmerfeld-2024', 'name'],
  ['Greta_Greta_Greta', 'name'],
  ['1991Sömmerfeld!', 'name'],
  ['gretas91', 'user name'],
  ['GRETA.S91!!', 'user name'],
  ['office@baeckerei-muster.example', 'email address'],
  ['baeckerei-muster', 'email address'],
  ['Baeckerei2024', 'email address'],
  ['muster & töchter', 'company'],
  ['töchter+GmbH', 'company'],
  ['S0mmerfeld!', 'name'],
  ['Soemmerfeld2026', 'name'],
  ['Gr3t@2026', 'name'],
  ['Toechter2026', 'company'],
  ['+49 170 5551234', 'phone number'],
  ['01705551234!', 'phone number'],
  // A common word beside one's own is no secret either.
  ['sömmerfeld-password', 'name'],
])('refuses “%s”, made of the owner’s %s', async (password, source) => {
  const why = await refusePassword(password, OWNER)
  expect(why).toMatch(/^This password is made of your [a-z ]+\. Please choose another\.$/)
  expect(why).toContain(source)
})

it.each([
  'correct horse battery',
  'bicycle repairs 2024',
  'purple bicycle harbour',
  'greta rides slowly',
  'the example of a sentence',
  'x7#kQ!p2vL',
  'Donaudampfschiff',
  'howling wolves 7',
  'abcdefgh and more',
  '5551234 mountain lake',
])('lets “%s” be', async (password) => {
  expect(await refusePassword(password, OWNER)).toBeNull()
})

it('finds no own words of an owner about whom nothing is known', async () => {
  const nobody = { name: '', username: '', email: '', companies: [] }
  expect(await refusePassword('sömmerfeld-2024', nobody)).toBeNull()
  expect(await refusePassword('password1', nobody)).not.toBeNull()
})

it.each([
  ['anna2026!!', 'anna.kowalczyk77@far.example'],
  ['@nnabelle1', 'annabelle84@far.example'],
  ['K0walczyk!', 'kowalczyk77@far.example'],
])('refuses “%s” of who has the address %s', async (password, email) => {
  const owner = { name: '', username: '', email, companies: [] }
  expect(await refusePassword(password, owner)).toContain('email address')
})
