@echo off
rem weir COMMAND...: runs java with the libraries beside this file. It never changes the directory.
setlocal
set "WEIR_JAVA="
if defined JAVA_HOME call :consider "%JAVA_HOME%\bin\java.exe"
for %%J in (java.exe) do call :consider "%%~$PATH:J"
for /d %%D in ("%ProgramFiles%\Eclipse Adoptium\*" "%ProgramFiles%\Java\*" "%ProgramFiles%\Microsoft\jdk*") do call :consider "%%~D\bin\java.exe"
if not defined WEIR_JAVA (
  echo weir: no Java 21 or newer in JAVA_HOME, PATH or "%ProgramFiles%"; install one ^(Temurin 25^) or set JAVA_HOME 1>&2
  exit /b 1
)
"%WEIR_JAVA%" -Xmx512m -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "%~dp0..\lib\*" io.weir.cli.Main %*
exit /b %ERRORLEVEL%

rem Takes the first java.exe of version 21 or newer. "call" keeps cmd from stripping the quotes of the path.
:consider
if defined WEIR_JAVA exit /b 0
if not exist "%~1" exit /b 0
set "WEIR_VERSION="
for /f "tokens=2,3" %%A in ('call "%~1" -version 2^>^&1') do if "%%~A"=="version" set "WEIR_VERSION=%%~B"
if not defined WEIR_VERSION exit /b 0
set "WEIR_FEATURE=0"
for /f "delims=.-+_" %%M in ("%WEIR_VERSION%") do set /a WEIR_FEATURE=%%M
if %WEIR_FEATURE% geq 21 set "WEIR_JAVA=%~1"
exit /b 0
