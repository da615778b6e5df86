import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ChartSettings } from '#web/chart/settings/chart-settings.tsx'
import { changeDesk, deskNow } from '#web/options/desk.ts'

afterEach(() => changeDesk({ type: 'candles', ticks: null }))

it('the line of ticks replaces the bars, and the choice of a type brings bars of this type back', () => {
  changeDesk({ type: 'bars' })
  const nothing = () => undefined
  render(
    <ChartSettings
      open
      onClose={nothing}
      symbol="BTC"
      decimals={2}
      onTool={nothing}
      maxPanes={3}
      roomForPanes={1}
      onLarge={nothing}
      hasVolume
    />,
  )
  const option = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })
  expect([option(/^Bars/).checked, option(/^Ticks/).checked]).toEqual([true, false])
  fireEvent.click(option(/^Ticks/))
  expect(deskNow()).toMatchObject({ type: 'bars', ticks: 'every' })
  expect([option(/^Bars/).checked, option(/^Ticks/).checked]).toEqual([false, true])
  fireEvent.click(option(/^1 s/))
  expect(deskNow().ticks).toBe('second')
  fireEvent.click(option(/^Bars/))
  expect(deskNow()).toMatchObject({ type: 'bars', ticks: null })
})
