import { useEffect, useMemo, useRef, useState } from 'react'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { Alert } from '#ui/alert.tsx'
import { cx } from '#ui/cx.ts'
import { Skeleton } from '#ui/states.tsx'
import { useLayer } from '#ui/close-on-back.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { keepTrail } from '#web/chart/tick-trail.ts'
import { changeDesk, useDesk } from '#web/options/desk.ts'
import { orderSheetIsOpen } from '#web/session/account.ts'
import { cancelOrder, usePendingOrders } from '#web/live/live-client.ts'
import { fromOwnTrade, type PlacedOrder } from '#web/live/placed-order.ts'
import { DIMMED_OFFLINE } from '#web/symbols/live-figures.tsx'
import { useFavorite } from '#web/symbols/use-favorite.ts'
import { TradePanel } from '#web/screens/trade/trade-panel.tsx'
import { resultOf, tradeMarks } from '#web/screens/trade/settled-trades.ts'
import { Announcer } from '#web/screens/trade/announcer.tsx'
import { type ChartView, IntervalBar } from '#web/screens/trade/interval-bar.tsx'
import type { OrderFieldsProps } from '#web/screens/trade/order-fields.tsx'
import { orderOf } from '#web/screens/trade/order-flow.ts'
import { chooseExpiry } from '#web/screens/trade/order-form.ts'
import { symbolOfOrder } from '#web/symbols/order-symbol.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'
import { PhoneBar } from '#web/screens/trade/phone-bar.tsx'
import { PriceHeader } from '#web/screens/trade/price-header.tsx'
import { TradeHeader } from '#web/screens/trade/trade-header.tsx'
import { DESKTOP, useMedia, WIDE } from '#web/screens/trade/use-media.ts'
import { useAccountDesk } from '#web/screens/trade/use-account-desk.ts'
import { useChartOrders } from '#web/screens/trade/use-chart-orders.ts'
import { useListedResult, useOrderFlow } from '#web/screens/trade/use-order-flow.ts'
import { closedReason, useOrderForm } from '#web/screens/trade/use-order-form.ts'
import { recordAwaitedBy, useOwnTrades } from '#web/live/use-own-trades.ts'
import { useRepeatedOrder } from '#web/screens/trade/use-repeated-order.ts'
import { useResultAddress } from '#web/screens/trade/use-result-address.ts'
import { useTradeKeys } from '#web/screens/trade/use-trade-keys.ts'
import { Page } from '#web/shell/page.tsx'
import { latePart } from '#web/parts/late-part.tsx'

const PriceChart = latePart(async () => (await import('#web/chart/price-chart.tsx')).default, {
  loading: ({ className }) => <div className={className} />,
})
const panes = () => import('#web/screens/trade/order-panes.ts')
const OrderSheet = latePart(async () => (await panes()).OrderSheet)
const PANEL = { loading: () => <Skeleton height={224} /> }
const CountdownPanel = latePart(async () => (await panes()).CountdownPanel, PANEL)
const ResultPanel = latePart(async () => (await panes()).ResultPanel, PANEL)
const RecentTrades = latePart(async () => (await import('#web/screens/trade/recent-trades.tsx')).RecentTrades, {
  loading: () => <div className="min-h-60 border-t border-line" />,
})
const TradeTabs = latePart(async () => (await import('#web/screens/trade/wide-panes.ts')).TradeTabs)
const OrderPanel = latePart(async () => (await import('#web/screens/trade/wide-panes.ts')).OrderPanel)
const OpenMarkets = latePart(async () => (await import('#web/screens/trade/open-markets.tsx')).OpenMarkets)
const MarketSheet = latePart(async () => (await import('#web/screens/trade/market-sheet.tsx')).MarketSheet)
const MarketPicker = latePart(async () => (await import('#web/screens/trade/market-picker.tsx')).MarketPicker)
const KeyHelp = latePart(async () => {
  const [help] = await Promise.all([import('#web/screens/trade/key-help.tsx'), loadTexts('more')])
  return help.KeyHelp
})

interface TradeDeskProps {
  list: MarketList
  item: SymbolItem
  /** A notice with the time of the figures, while the list of symbols cannot be refreshed; null otherwise. */
  staleNotice: string | null
}

/** The trade screen of one symbol. */
export function TradeDesk({ list, item, staleNotice }: TradeDeskProps) {
  const [isWide, isDesktop] = [useMedia(WIDE), useMedia(DESKTOP)]
  const [picking, setPicking] = useState<'unused' | 'open' | 'closed'>('unused')
  const [hadForm, setHadForm] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const [isExpanded, setIsExpanded] = useState(false)
  const [isTable, setIsTable] = useState(false)
  const [chartLoads, setChartLoads] = useState(0)
  const { interval, ticks } = useDesk()
  // The order's view is selected automatically when there is an order.
  const [prefersOrder, setPrefersOrder] = useState(true)
  const [help, setHelp] = useState<'unused' | 'open' | 'closed'>('unused')
  const search = useRef<HTMLInputElement>(null)
  const favorite = useFavorite()
  const own = useOwnTrades()
  const { flow: ownFlow, dispatch, submit } = useOrderFlow(item)
  const isSubmitting = ownFlow.step === 'submitting'
  const pending = usePendingOrders()
  const isUnknown = pending.some((order) => order.isOverdue)
  const unsent = isSubmitting ? pending.find((order) => !order.isSent) : undefined
  const form = useOrderForm(list, item, isSubmitting)
  const { symbol, decimals, splits } = item
  const title = titleOf(symbol, item.market_type)

  const flow = useListedResult({ flow: ownFlow, dispatch }, own.trades, form.balance)
  useRepeatedOrder(isWide ? null : form.repeated, dispatch)

  // The symbol of the order on screen, which can differ from the screen's own symbol.
  const shown = symbolOfOrder(list, orderOf(flow)?.symbol ?? symbol, own.trades)
  const shownTitle = titleOf(shown.symbol, shown.market_type)

  useAccountDesk(symbol)
  useLayer(isExpanded, () => setIsExpanded(false))
  useLayer(isTable, () => setIsTable(false))
  useEffect(() => keepTrail(symbol), [symbol])
  useEffect(() => {
    if (!isWide) for (const pane of [OrderSheet, CountdownPanel, ResultPanel]) void pane.prepare()
  }, [isWide])
  useTradeKeys(
    {
      search,
      onHelp: () => setHelp('open'),
      onDirection: form.setDirection,
      onExpiry: (index) => {
        const setting = list.trade_settings[index]
        if (setting && !form.view.closesFirst.has(setting.id)) form.setForm(chooseExpiry(form.form, setting))
      },
    },
    isDesktop,
  )

  const runningHere = useMemo(() => own.running.filter((order) => order.symbol === symbol), [own.running, symbol])
  const settledTrades = useMemo(() => tradeMarks(own.trades ?? [], symbol), [own.trades, symbol])
  const selected = orderOf(flow) ?? runningHere[0] ?? null
  // On larger screens a form that was in use stays, with the reason above it.
  if (form.closed === null && !wasOpen) setWasOpen(true)
  const closed = isWide && wasOpen ? null : form.closed
  const isFormOpen = isWide ? closed === null : flow.step === 'form' || isSubmitting
  // Once opened, the form stays mounted.
  if (isFormOpen && !isWide && !hadForm) setHadForm(true)
  useEffect(() => {
    orderSheetIsOpen.set(isFormOpen && !isWide)
    return () => orderSheetIsOpen.set(false)
  }, [isFormOpen, isWide])
  // The chart previews the order in the form. On larger screens the form is always visible, so a selected order hides
  // the preview.
  const previewed = isFormOpen && !(isWide && selected !== null) ? form : null
  const orders = useChartOrders({ running: runningHere, selected, form: previewed, symbol })
  const bars = ticks === null ? interval : null
  const shownView: ChartView | null = prefersOrder && selected !== null ? 'order' : bars
  const isOrderView = shownView === 'order' && !(isFormOpen && !isWide)
  const maxPanes = isWide ? 5 : isExpanded ? 3 : 1
  const orderInView = isOrderView ? (orders.find(({ id }) => id === selected?.id) ?? null) : null

  function review(trade: OwnTrade): void {
    dispatch({ kind: 'review', order: fromOwnTrade(trade), result: resultOf(trade, form.balance) })
  }

  function showTrade(id: string): void {
    const trade = own.trades?.find((one) => one.id === id)
    if (trade) review(trade)
  }

  const show = (order: PlacedOrder) => dispatch({ kind: 'show', order })
  useResultAddress({ flow, symbol, trades: own.trades, running: own.running, onReview: review, onShow: show })

  const fields: OrderFieldsProps = {
    form: form.form,
    view: form.view,
    list,
    balance: form.balance,
    room: form.room,
    note: form.note,
    // The market or this user's trading may close while a form is open.
    error: form.closed !== null ? closedReason(form.closed) : flow.step === 'form' ? flow.error : null,
    isSubmitting,
    isUnknown: isSubmitting && isUnknown,
    isOffline: form.isOffline,
    hasRecord: item.has_record,
    onCancel: unsent === undefined ? null : () => cancelOrder(unsent.clientOrderId),
    onChange: form.setForm,
    onSubmit: () => {
      setPrefersOrder(true)
      submit(form.form, form.view)
    },
  }

  return (
    <Page
      title={title}
      header={<TradeHeader item={item} onChoose={() => setPicking('open')} onFavorite={favorite} />}
      width="full"
      className={cx(
        'px-0!',
        isWide &&
          'grid! min-h-0 grid-cols-[minmax(0,1fr)_320px] grid-rows-1 overflow-hidden lg:grid-cols-[232px_minmax(0,1fr)_344px] min-[1200px]:grid-cols-[296px_minmax(0,1fr)_344px]',
        isWide && 'h-[calc(100dvh-var(--header-h))] flex-none!',
      )}
    >
      {isDesktop && (
        <section
          aria-label={t('trade.markets')}
          inert={isExpanded}
          className="flex min-h-0 flex-col border-e border-line bg-surface"
        >
          <MarketPicker list={list} current={item} search={search} isPane />
        </section>
      )}
      <section
        aria-label={t('trade.chart_pane')}
        className={cx('flex min-h-0 min-w-0 flex-1 flex-col', isWide && 'short:overflow-y-auto')}
      >
        <h1 className="sr-only">{title}</h1>
        <PriceHeader list={list} item={item} onFavorite={favorite} />
        {staleNotice !== null && (
          <Alert tone="warn" className="mx-4 mb-2">
            {t('common.load_failed')} ({staleNotice})
          </Alert>
        )}
        <div
          className={cx(
            'flex flex-col',
            DIMMED_OFFLINE,
            isExpanded
              ? 'fixed inset-0 z-25 bg-bg'
              : isWide
                ? 'min-h-60 flex-[1.6] short:min-h-[17.5rem] short:shrink-0'
                : 'shrink-0',
          )}
        >
          {(flow.step !== 'completed' || isWide) && (
            <IntervalBar
              value={shownView}
              onChange={(view) => {
                setPrefersOrder(view === 'order')
                if (view !== 'order') changeDesk({ interval: view, ticks: null })
              }}
              hasOrder={selected !== null}
              onChart={() => setIsTable(false)}
              isExpanded={isExpanded}
              onExpand={() => setIsExpanded(!isExpanded)}
              maxPanes={maxPanes}
              item={item}
            />
          )}
          <PriceChart
            symbol={{
              code: symbol,
              productId: item.product_id,
              marketType: item.market_type,
              decimals,
              splits,
              title,
            }}
            interval={interval}
            order={orderInView}
            orders={orders}
            trades={settledTrades}
            loads={chartLoads}
            onTrade={showTrade}
            maxPanes={maxPanes}
            onLarge={isWide || isExpanded ? undefined : () => setIsExpanded(true)}
            isTable={isTable}
            onTable={setIsTable}
            className={chartHeight(isWide || isExpanded, flow.step)}
          />
        </div>
        {isWide ? (
          <div inert={isExpanded} className="flex min-h-0 flex-1 flex-col short:min-h-[14rem]">
            <TradeTabs list={list} item={item} isOpen={form.isOpen} own={own} onShow={show} />
          </div>
        ) : flow.step === 'running' || flow.step === 'completing' ? (
          <TradePanel>
            <CountdownPanel
              order={flow.order}
              decimals={shown.decimals}
              isWaiting={flow.step === 'completing'}
              record={recordAwaitedBy(own, flow.order)}
              onCollapse={() => dispatch({ kind: 'collapse' })}
            />
          </TradePanel>
        ) : flow.step === 'completed' ? (
          <TradePanel>
            <ResultPanel
              order={flow.order}
              result={flow.result}
              title={shownTitle}
              decimals={shown.decimals}
              isReview={flow.isReview}
              onContinue={() => dispatch({ kind: 'continue' })}
            />
          </TradePanel>
        ) : (
          <>
            {form.closed?.isMarket && <OpenMarkets list={list} item={item} className="border-t border-line pb-3" />}
            <RecentTrades item={item} isOpen={form.isOpen} own={own} />
          </>
        )}
      </section>
      {isWide ? (
        <OrderPanel
          fields={fields}
          closed={closed}
          item={item}
          flow={flow}
          title={shownTitle}
          decimals={shown.decimals}
          own={own}
          onDirection={form.setDirection}
          onContinue={() => dispatch({ kind: 'continue' })}
        />
      ) : (
        <>
          {(flow.step === 'idle' || flow.step === 'form' || isSubmitting) && (
            <PhoneBar
              form={form}
              running={own.running}
              sending={flow.step === 'submitting' ? flow.direction : null}
              onShow={show}
              onChoose={(direction) => {
                form.setDirection(direction)
                dispatch({ kind: 'choose', direction })
              }}
            />
          )}
          {hadForm && (
            <OrderSheet
              fields={fields}
              title={title}
              open={isFormOpen}
              onClose={() => {
                dispatch({ kind: 'cancel' })
                setChartLoads((loads) => loads + 1)
              }}
            />
          )}
        </>
      )}
      {!isDesktop && picking !== 'unused' && (
        <MarketSheet list={list} current={item} open={picking === 'open'} onClose={() => setPicking('closed')} />
      )}
      {help !== 'unused' && <KeyHelp open={help === 'open'} onClose={() => setHelp('closed')} />}
      <Announcer flow={flow} title={shownTitle} decimals={shown.decimals} />
    </Page>
  )
}

/**
 * 400 px on phones, less while an order is open or just settled. On larger screens the chart fills the rest of the
 * pane.
 */
function chartHeight(isFree: boolean, step: string): string {
  if (isFree) return 'min-h-0 flex-1'
  if (step === 'completed') return 'h-[196px] border-t border-line'
  return step === 'running' || step === 'completing' ? 'h-[288px] short:h-[208px]' : 'h-[400px] short:h-[208px]'
}
