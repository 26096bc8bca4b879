@echo off
rem Runs the installed app's command line on the app's own runtime, from any folder.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Daybreak.exe" "%~dp0..\app.asar\dist\electron\cli.js" %*
