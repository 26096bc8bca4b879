@echo off
rem Runs Daybreak's command line with the Node on PATH, from any folder.
where node >nul 2>nul || (echo daybreak: no Node was found; install Node 24 or newer 1>&2 & exit /b 1)
node "%~dp0daybreak.cjs" %*
