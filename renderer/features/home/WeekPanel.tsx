import type { Inbox } from '../../../shared/model/index.ts'
import { weekChart } from './week.ts'

const LEFT = 34
const RIGHT = 456
const TOP = 16
const BOTTOM = 228
const BAR = 18

/** What came in and what was approved on each of the last seven days; the table says the same to those who cannot see it. */
export function WeekPanel({ week }: { readonly week: Inbox['week'] }) {
  const chart = weekChart(week)
  const most = chart.ticks.at(-1) ?? 1
  const y = (n: number) => BOTTOM - ((BOTTOM - TOP) * n) / most
  const slot = (RIGHT - LEFT) / Math.max(1, chart.bars.length)
  return (
    <section className="panel" aria-label="Last week">
      <div className="panel-head">
        <h2>Last week</h2>
        <span className="small dim">files per day</span>
        <p className="legend">
          <span>
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" rx="1" fill="var(--ink-3)" />
            </svg>
            came in {chart.cameIn}
          </span>
          <span>
            <svg width="12" height="12" aria-hidden="true">
              <rect x=".5" y=".5" width="11" height="11" rx="1" fill="url(#hatch)" stroke="var(--brand)" />
            </svg>
            approved {chart.approved}
          </span>
        </p>
      </div>
      <div className="chart-box">
        <svg className="chart" width="100%" viewBox="0 0 456 260" aria-hidden="true">
          <defs>
            <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="4" height="4" fill="var(--bg-canvas)" />
              <rect width="2" height="4" fill="var(--brand)" />
            </pattern>
          </defs>
          {chart.ticks.map((tick) => (
            <g key={tick}>
              <path
                d={`M${LEFT - 6} ${y(tick) + 0.5}H${RIGHT}`}
                stroke={tick === 0 ? 'var(--line-control)' : 'var(--line)'}
              />
              <text x={LEFT - 12} y={y(tick) + 4} textAnchor="end">
                {tick}
              </text>
            </g>
          ))}
          {chart.bars.map((bar, i) => {
            const middle = LEFT + slot * (i + 0.5)
            return (
              <g key={bar.day}>
                <rect
                  x={middle - BAR - 1}
                  y={y(bar.cameIn)}
                  width={BAR}
                  height={BOTTOM - y(bar.cameIn)}
                  rx="1"
                  fill="var(--ink-3)"
                />
                <text className="v" x={middle - BAR / 2 - 1} y={y(bar.cameIn) - 4} textAnchor="middle">
                  {bar.cameIn}
                </text>
                <rect
                  x={middle + 1.5}
                  y={y(bar.approved) + 0.5}
                  width={BAR - 1}
                  height={Math.max(0, BOTTOM - y(bar.approved) - 0.5)}
                  rx="1"
                  fill="url(#hatch)"
                  stroke="var(--brand)"
                />
                <text className="v" x={middle + BAR / 2 + 1} y={y(bar.approved) - 4} textAnchor="middle">
                  {bar.approved}
                </text>
                <text x={middle} y={BOTTOM + 20} textAnchor="middle">
                  {bar.label}
                </text>
              </g>
            )
          })}
        </svg>
        <table className="vh">
          <caption>Last week</caption>
          <tbody>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Came in</th>
              <th scope="col">Approved</th>
            </tr>
            {chart.bars.map((bar) => (
              <tr key={bar.day}>
                <th scope="row">{bar.label}</th>
                <td>{bar.cameIn}</td>
                <td>{bar.approved}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
